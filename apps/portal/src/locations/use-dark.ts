import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Whether the page is dark now; follows the theme without a reload. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, () => document.body.classList.contains('awsui-dark-mode'));
}
