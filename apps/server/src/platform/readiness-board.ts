/** A part that must be up before the server is ready. */
export interface ReadinessPart {
  readonly up: () => void;
  /** @param reason shown to operators; no secrets */
  readonly down: (reason: string) => void;
}

export interface Readiness {
  readonly ready: boolean;
  /** `up`, or the reason. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Collects the state of the server's parts for `/readyz`. */
export interface ReadinessBoard {
  /** A part that reports its state. It counts as starting until its first report. */
  readonly expect: (name: string) => ReadinessPart;
  /**
   * A part that is shown but does not affect readiness. It counts as up until it reports otherwise.
   */
  readonly note: (name: string) => ReadinessPart;
  /** A part that is checked at each request. It is down if the check throws or times out. */
  readonly check: (name: string, check: () => Promise<void>) => void;
  readonly read: () => Promise<Readiness>;
}

const CHECK_LIMIT_MS = 2_000;

export function createReadinessBoard(): ReadinessBoard {
  const states = new Map<string, string>();
  const notes = new Map<string, string>();
  const checks = new Map<string, () => Promise<void>>();
  return {
    expect(name) {
      states.set(name, 'starting');
      return {
        up: () => void states.set(name, 'up'),
        down: (reason) => void states.set(name, reason),
      };
    },
    note(name) {
      notes.set(name, 'up');
      return {
        up: () => void notes.set(name, 'up'),
        down: (reason) => void notes.set(name, reason),
      };
    },
    check: (name, check) => void checks.set(name, check),
    async read() {
      const asked = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await runCheck(check)] as const),
      );
      const needed = Object.fromEntries([...states, ...asked]);
      const ready = Object.values(needed).every((state) => state === 'up');
      return { ready, parts: { ...needed, ...Object.fromEntries(notes) } };
    },
  };
}

async function runCheck(check: () => Promise<void>): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), CHECK_LIMIT_MS);
  try {
    await Promise.race([check(), promise]);
    return 'up';
  } catch (error) {
    return error instanceof Error ? error.message : 'down';
  } finally {
    clearTimeout(timer);
  }
}
