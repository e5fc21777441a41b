export interface StartErrorOptions extends ErrorOptions {
  /** For commands whose callers must tell one failure from another. Default 1. */
  readonly exitCode?: number;
}

/** A start that cannot go on for a reason the operator can mend: `main` prints its message as one line, without a stack. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: StartErrorOptions = {}) {
    super(message, options);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
