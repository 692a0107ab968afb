import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Toasts } from '../components/toasts.tsx';

export function Root(): ReactNode {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
