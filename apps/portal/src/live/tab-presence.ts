/** Web Locks exist only in secure contexts, which excludes plain HTTP on a LAN. */
export const hasLocks = (): boolean => typeof navigator.locks === 'object';

/** Holds a lock until the page closes. The lock of a crashed tab is released as well. */
export async function announcePresence(name: string): Promise<void> {
  await new Promise<void>((held) => {
    void navigator.locks.request(name, () => {
      held();
      return new Promise<never>(() => undefined);
    });
  });
}

/** Calls `gone` when the page that holds the lock has closed. */
export function whenReleased(name: string, gone: () => void): void {
  void navigator.locks.request(name, () => gone());
}
