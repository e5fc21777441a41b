/** What a ticket stands for: a purpose's tickets are good for nothing else. */
export interface Ticket {
  readonly userId: string | null;
  readonly data: unknown;
  readonly expiresAt: Date;
}
