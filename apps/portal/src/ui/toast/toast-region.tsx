import type { ReactNode } from 'react';
import { useToast } from './toast-store.ts';

/** Announces and shows the current toast. Always rendered, because screen readers observe changes. */
export function ToastRegion(): ReactNode {
  const toast = useToast();
  return (
    <div className="dp-toasts" role="status">
      {toast === null ? null : (
        <span key={toast.id} className="dp-toast">
          {toast.text}
        </span>
      )}
    </div>
  );
}
