import { TokenRefusal } from './token-refusal.ts';

/** Undefined for a token that is refused; any other failure stays one. */
export function unlessRefused<Claims>(check: Promise<Claims>): Promise<Claims | undefined> {
  return check.catch((error: unknown) => {
    if (error instanceof TokenRefusal) return undefined;
    throw error;
  });
}
