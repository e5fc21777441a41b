import Link, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { followWithRouter } from './follow-with-router.ts';

export type PortalLinkProps = LinkProps & { readonly href: string };

/**
 * A Cloudscape link to a page of the portal, without a page load. Modified clicks open a new tab.
 */
export function PortalLink({ href, children, ...rest }: PortalLinkProps): ReactNode {
  return (
    <Link {...rest} href={href} onFollow={(event) => followWithRouter(event)}>
      {children}
    </Link>
  );
}
