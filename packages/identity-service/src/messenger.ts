export type MessageChannel = 'email' | 'sms';

/** One message to one person. `code` repeats the secret of the text for outboxes that show it on its own; never log it. */
export interface OutgoingMessage {
  /** An e-mail address, or a phone number in E.164 form. */
  readonly to: string;
  readonly channel: MessageChannel;
  readonly subject: string;
  readonly text: string;
  readonly code: string;
}

/** How codes reach people. A rejected promise means that the message was not handed over. */
export interface Messenger {
  send(message: OutgoingMessage): Promise<void>;
}
