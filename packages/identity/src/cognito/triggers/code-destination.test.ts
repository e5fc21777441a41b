import { describe, expect, it } from 'vitest';
import { codeDestination, maskDestination } from './code-destination.ts';

const email = { email: 'anna@corp.example', email_verified: 'true' };
const phone = { phone_number: '+48123456789', phone_number_verified: 'true' };

describe('code destination', () => {
  it('a typed phone number gets an SMS, a name an email', () => {
    const both = { ...email, ...phone };
    expect(codeDestination(both, '+48 (123) 456-789')).toMatchObject({ channel: 'sms' });
    expect(codeDestination(both, 'anna')).toMatchObject({ channel: 'email' });
    expect(codeDestination(both, undefined)).toMatchObject({ channel: 'email' });
  });

  it('a user with only one contact is reached there', () => {
    expect(codeDestination(phone, 'anna')).toEqual({ channel: 'sms', to: '+48123456789' });
    expect(codeDestination(email, '+48123456789')).toMatchObject({ channel: 'email' });
  });

  it('an unverified contact receives nothing', () => {
    expect(codeDestination({ ...email, email_verified: 'false' }, 'anna')).toBeUndefined();
    expect(codeDestination({ ...email, ...phone, email_verified: 'false' }, 'anna')).toMatchObject({
      channel: 'sms',
    });
  });

  it('the mask shows the kind of destination, not the user', () => {
    expect(maskDestination({ channel: 'email', to: 'anna@corp.example' })).toBe(
      'a•••@corp.example',
    );
    expect(maskDestination({ channel: 'sms', to: '+48123456789' })).toBe('+48•••••••89');
  });
});
