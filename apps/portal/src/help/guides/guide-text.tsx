import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { PortalLink } from '../../ui/portal-link.tsx';
import { partsOf, type GuidePart } from './read-guide.ts';

/** A line of a guide. Links to other guides stay in the portal. */
export function GuideText({ text }: { readonly text: string }): ReactNode {
  // Parts have no ID, and never change.
  return partsOf(text).map((part, index) => <Part key={index} part={part} />);
}

function Part({ part }: { readonly part: GuidePart }): ReactNode {
  if (part.kind === 'code') return <code>{part.text}</code>;
  if (part.kind === 'strong') return <strong>{part.text}</strong>;
  if (part.kind !== 'link') return part.text;
  const { text, href } = part;
  if (/^https?:/.test(href)) {
    return (
      <Link href={href} external>
        {text}
      </Link>
    );
  }
  const guide = /^([\w-]+)\.md(#.*)?$/.exec(href);
  if (guide !== null) {
    return <PortalLink href={`/guides/${guide[1]}${guide[2] ?? ''}`}>{text}</PortalLink>;
  }
  if (href.startsWith('#')) return <a href={href}>{text}</a>;
  // Files of the repository, which the portal does not serve.
  return text;
}
