import { useParams } from '@tanstack/react-router';

export function useProjectId(): string {
  const { projectId } = useParams({ strict: false });
  if (projectId === undefined) throw new Error('This part belongs to a page of a project');
  return projectId;
}
