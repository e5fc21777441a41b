import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Whether the page uses the dark theme, updated without a reload. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, () => document.body.classList.contains('awsui-dark-mode'));
}
