let counter = 0;

/** A name that nobody has yet. */
export function freshName(): string {
  counter += 1;
  return `person${counter}${Math.random().toString(36).slice(2, 8)}`;
}

/** A mainland number that nobody has yet, without its country. */
export function freshPhone(): string {
  counter += 1;
  return `138${String(10_000_000 + counter)}`;
}
