import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { addressSource } from './place-words.ts';

/** Who says which country an address belongs to. */
export function AddressSource(): ReactNode {
  return (
    <>
      {' · '}
      <Link href={addressSource.href} external fontSize="inherit">
        {addressSource.text}
      </Link>
    </>
  );
}
