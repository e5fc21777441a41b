import type { MessageChannel } from '../messenger.ts';

export interface LoginCodeMessage {
  readonly subject: string;
  readonly text: string;
}

interface LoginCodeTextInput {
  readonly code: string;
  readonly channel: MessageChannel;
  readonly validMinutes: number;
  /** The user attribute `locale`; Chinese when it starts with `zh`, otherwise English. */
  readonly locale: string | undefined;
}

/** The words that carry a sign-in code. The code stands first, so that it shows in a notification. */
export function loginCodeText(input: LoginCodeTextInput): LoginCodeMessage {
  const chinese = input.locale?.toLowerCase().startsWith('zh') ?? false;
  return chinese ? chineseText(input) : englishText(input);
}

function englishText({ code, channel, validMinutes }: LoginCodeTextInput): LoginCodeMessage {
  const subject = `${code} is your Device Portal sign-in code`;
  const first = `${code} is your Device Portal sign-in code. It works for ${validMinutes} minutes.`;
  return channel === 'sms'
    ? { subject, text: first }
    : { subject, text: `${first}\n\nIf you did not ask for it, ignore this message.\n` };
}

function chineseText({ code, channel, validMinutes }: LoginCodeTextInput): LoginCodeMessage {
  const subject = `${code} 是您的 Device Portal 登录验证码`;
  const first = `${code} 是您的 Device Portal 登录验证码，${validMinutes} 分钟内有效。`;
  return channel === 'sms'
    ? { subject, text: first }
    : { subject, text: `${first}\n\n如果不是您本人操作，请忽略此消息。\n` };
}
