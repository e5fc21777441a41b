import Link, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { followInside } from './follow-inside.ts';

export type PortalLinkProps = LinkProps & { readonly href: string };

/** A Cloudscape link to a page of this portal: no reload, and new tabs on modified clicks. */
export function PortalLink({ href, children, ...rest }: PortalLinkProps): ReactNode {
  return (
    <Link {...rest} href={href} onFollow={(event) => followInside(event)}>
      {children}
    </Link>
  );
}
