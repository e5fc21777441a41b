import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { addressSource } from './place-words.ts';

/** The attribution of the database that maps IP addresses to countries. */
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
