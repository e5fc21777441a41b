import type { Refusal } from '../wire/provider-error.ts';

export const qrRefusals = {
  codeDoesNotExist: { code: 2301, en: 'there is no such QR code', zh: '二维码不存在' },
  ticketHasEnded: {
    code: 2302,
    en: 'the ticket is wrong, was used or has expired',
    zh: 'ticket 无效、已使用或已过期',
  },
} as const satisfies Record<string, Refusal>;
