/** Data of a ticket, valid only for its purpose. */
export interface Ticket {
  readonly userId: string | null;
  readonly data: unknown;
  readonly expiresAt: Date;
}
