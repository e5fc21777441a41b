/** A shell with a pseudoterminal. */
export interface Pty {
  readonly pid: number;
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** After the last output. */
  onExit(listener: (exitCode: number | null) => void): void;
  write(bytes: Uint8Array): void;
  resize(columns: number, rows: number): void;
  /** Stops reading, so that the programs of the terminal wait. */
  pause(): void;
  resume(): void;
  /** Ends the shell and the programs in its foreground, as closing a terminal window does. */
  hangUp(): void;
}

export interface PtyRequest {
  readonly columns: number;
  readonly rows: number;
}
