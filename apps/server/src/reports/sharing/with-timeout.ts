import { createContext, Script } from 'node:vm';

const held: { work?: () => unknown } = {};
const context = createContext(held);
const script = new Script('work()');

/**
 * Returns the result of a function; undefined if it takes longer, also in the middle of a regular expression. For use
 * in a separate thread.
 */
export function withTimeout<Result>(ms: number, work: () => Result): Result | undefined {
  held.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
