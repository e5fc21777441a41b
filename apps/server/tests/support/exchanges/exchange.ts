/** An HTTP request, as sent by a client or modified by an attacker. */
export interface Exchange {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ExchangeAnswer {
  readonly status: number;
  readonly text: string;
}
