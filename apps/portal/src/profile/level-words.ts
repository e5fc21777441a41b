import { PasswordSecurityLevel } from '@deviceportal/identity-client';
import type { MessageKey } from '../i18n/message-key.ts';

/** What each level of a password is called. */
export const levelWords: Readonly<Record<PasswordSecurityLevel, MessageKey>> = {
  [PasswordSecurityLevel.LOW]: 'profile.strength.low',
  [PasswordSecurityLevel.MIDDLE]: 'profile.strength.middle',
  [PasswordSecurityLevel.HIGH]: 'profile.strength.high',
};
