import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language-store.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { guideTitle } from './guides/guide-titles.ts';

/** @param props.name of a file in docs/guides */
export function GuideLink({ name }: { readonly name: string }): ReactNode {
  return <PortalLink href={`/guides/${name}`}>{guideTitle(name, useLanguage())}</PortalLink>;
}
