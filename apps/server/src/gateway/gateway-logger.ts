/** What the gateway needs of a logger; pino provides it. Never receives payloads or keys. */
export interface GatewayLogger {
  readonly info: (facts: object, message: string) => void;
  readonly warn: (facts: object, message: string) => void;
  readonly error: (facts: object, message: string) => void;
}
