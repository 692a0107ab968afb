import * as lucide from 'lucide-react';
import type { ReactNode } from 'react';

/** The icons of Lucide (https://lucide.dev) that the pages use: the others are not in the built pages. */
const icons = {
  activity: lucide.Activity,
  'arrow-down': lucide.ArrowDown,
  'arrow-right': lucide.ArrowRight,
  'arrow-up': lucide.ArrowUp,
  ban: lucide.Ban,
  check: lucide.Check,
  'chevron-down': lucide.ChevronDown,
  'chevron-right': lucide.ChevronRight,
  'circle-alert': lucide.CircleAlert,
  'circle-check': lucide.CircleCheck,
  clock: lucide.Clock,
  code: lucide.Code,
  compass: lucide.Compass,
  copy: lucide.Copy,
  download: lucide.Download,
  ellipsis: lucide.Ellipsis,
  'file-check': lucide.FileCheck,
  globe: lucide.Globe,
  'grip-vertical': lucide.GripVertical,
  info: lucide.Info,
  key: lucide.Key,
  languages: lucide.Languages,
  layers: lucide.Layers,
  'layout-dashboard': lucide.LayoutDashboard,
  link: lucide.Link,
  'list-filter': lucide.ListFilter,
  lock: lucide.Lock,
  'log-out': lucide.LogOut,
  mail: lucide.Mail,
  maximize: lucide.Maximize,
  menu: lucide.Menu,
  minimize: lucide.Minimize,
  monitor: lucide.Monitor,
  moon: lucide.Moon,
  pause: lucide.Pause,
  pencil: lucide.Pencil,
  play: lucide.Play,
  plus: lucide.Plus,
  radio: lucide.Radio,
  'refresh-cw': lucide.RefreshCw,
  'rotate-ccw': lucide.RotateCcw,
  save: lucide.Save,
  search: lucide.Search,
  settings: lucide.Settings,
  shapes: lucide.Shapes,
  share: lucide.Share,
  'shield-alert': lucide.ShieldAlert,
  sparkles: lucide.Sparkles,
  sun: lucide.Sun,
  table: lucide.Table,
  terminal: lucide.Terminal,
  trash: lucide.Trash,
  'triangle-alert': lucide.TriangleAlert,
  upload: lucide.Upload,
  user: lucide.User,
  users: lucide.Users,
  workflow: lucide.Workflow,
  x: lucide.X,
} as const;

export type IconName = keyof typeof icons;

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
}

/** An icon beside a text. It has no meaning of its own: a button with only an icon has an `aria-label`. */
export function Icon({ name, size = 16, className }: IconProps): ReactNode {
  const Shape = icons[name];
  return <Shape size={size} strokeWidth={1.75} className={`shrink-0 ${className ?? ''}`} />;
}
