import { PasswordSecurityLevel } from '@deviceportal/identity-client';
import type { MessageKey } from '../i18n/message-key.ts';

/** The label of each password strength. */
export const levelWords: Readonly<Record<PasswordSecurityLevel, MessageKey>> = {
  [PasswordSecurityLevel.LOW]: 'profile.strength.low',
  [PasswordSecurityLevel.MIDDLE]: 'profile.strength.middle',
  [PasswordSecurityLevel.HIGH]: 'profile.strength.high',
};
