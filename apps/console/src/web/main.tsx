import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './look/look.css';

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <div>Hi</div>
    </StrictMode>,
  );
