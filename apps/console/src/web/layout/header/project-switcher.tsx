import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { projectsQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { Button } from '../../components/button.tsx';
import { MenuButton } from '../../components/dialogs/menu-button.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';

// Few visits create a project: the entry of every page does not contain the dialog.
const CreateProject = lazy(async () => ({ default: (await import('./create-project.tsx')).CreateProject }));

export function ProjectSwitcher(): ReactNode {
  const texts = useTexts(layoutTexts);
  const projectId = useProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const current = projects.find(({ id }) => id === projectId);
  return (
    <>
      <MenuButton
        label={texts.switchProject}
        entries={[
          ...projects.map(({ id, name }) => ({ id, label: name, selected: id === projectId })),
          ...(may('projects:write')
            ? [{ id: createId, label: texts.newProject, icon: 'plus' as const, startsGroup: true }]
            : []),
        ]}
        onAction={(id) => {
          if (id === createId) setCreating(true);
          else if (id !== projectId)
            void navigate({ to: '/p/$projectId/overview', params: { projectId: id } });
        }}
      >
        <Button
          look="quiet"
          className="max-sm:px-1"
          aria-label={`${texts.project}: ${current?.name ?? projectId}`}
        >
          <span className="foreign max-w-28 truncate sm:max-w-48">{current?.name ?? projectId}</span>
          <Icon name="chevron-down" size={14} className="text-soft" />
        </Button>
      </MenuButton>
      {isCreating && (
        <Suspense fallback={null}>
          <CreateProject onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

// No id of a project.
const createId = 'new';
