/** A request as it travels: what a client has sent, or what an attacker makes of it. */
export interface Exchange {
  readonly method: string;
  /** From the host's root, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ExchangeAnswer {
  readonly status: number;
  readonly text: string;
}
