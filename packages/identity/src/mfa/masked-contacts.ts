import type { ProviderUser } from '../accounts/provider-user.ts';

/** Address and number, only as much of them as their owner needs to know them. */
export function maskedContacts({ email, phone }: Pick<ProviderUser, 'email' | 'phone'>): {
  readonly email: string | null;
  readonly phone: string | null;
} {
  return {
    email: email === null ? null : email.replace(/^(.).*(?=@)/, '$1***'),
    phone: phone === null ? null : phone.replace(/.(?=.{4})/g, '*'),
  };
}
