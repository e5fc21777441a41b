/** Variables of the contract have fewer. */
const MOST_LEVELS = 32;

/**
 * Whether JSON can be handed to the library: not nested so deep that walking it exhausts the stack, and without a member
 * `then`, which is taken for a promise on the way.
 */
export function isHarmlessOperation(body: unknown): boolean {
  let level = [body].filter(isObject);
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > MOST_LEVELS || level.some((value) => 'then' in value)) return false;
    level = level.flatMap((value) => Object.values(value)).filter(isObject);
  }
  return true;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
