import type { Refusal } from '../provider/wire/provider-error.ts';

export const qrRefusals = {
  codeDoesNotExist: { code: 2301, en: 'QR code not found', zh: '二维码不存在' },
  ticketHasEnded: {
    code: 2302,
    en: 'The ticket is invalid, already used, or expired',
    zh: '票据无效、已使用或已过期',
  },
} as const satisfies Record<string, Refusal>;
