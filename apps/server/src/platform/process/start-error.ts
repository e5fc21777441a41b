export interface StartErrorOptions extends ErrorOptions {
  /** For commands whose callers must distinguish failures. Default: 1. */
  readonly exitCode?: number;
}

/** An error that the operator can fix: `main` prints its message as one line, without a stack. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: StartErrorOptions = {}) {
    super(message, options);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
