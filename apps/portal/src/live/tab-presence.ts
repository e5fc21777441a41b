/** Web Locks exist only in secure contexts, which a plain-http page on a LAN is not. */
export const hasLocks = (): boolean => typeof navigator.locks === 'object';

/** Holds a lock for as long as this page lives: a tab that crashes says no goodbye, but its locks are released. */
export async function announcePresence(name: string): Promise<void> {
  await new Promise<void>((held) => {
    void navigator.locks.request(name, () => {
      held();
      return new Promise<never>(() => undefined);
    });
  });
}

/** Calls back when the page that holds the lock has gone. */
export function whenReleased(name: string, gone: () => void): void {
  void navigator.locks.request(name, () => gone());
}
