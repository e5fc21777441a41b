import { createContext, Script } from 'node:vm';

/** A normal pattern takes microseconds. The limit allows for a slow machine under load. */
const LIMIT_MS = 1_000;

const script = new Script(
  "{ const expression = new RegExp(pattern, 'u'); texts.every((text) => expression.test(text)); }",
);

/**
 * Whether a document's pattern matches all texts. Backtracking can take exponential time, during
 * which the device could neither respond nor cancel. Patterns that exceed the time limit or are
 * invalid do not match. `node:vm` is used only for its timeout, not for isolation.
 */
export function matchesAll(pattern: string, texts: readonly string[]): boolean {
  try {
    return script.runInContext(createContext({ pattern, texts }), { timeout: LIMIT_MS }) as boolean;
  } catch {
    return false;
  }
}
