import { useState } from 'react';

/** One attempt at a time, with what came of the last one. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  return {
    busy,
    problem,
    clear: () => setProblem(''),
    /** @returns whether it went well */
    async run(work: () => Promise<void>): Promise<boolean> {
      if (busy) return false;
      setBusy(true);
      setProblem('');
      try {
        await work();
        return true;
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export type Attempt = ReturnType<typeof useAttempt>;
