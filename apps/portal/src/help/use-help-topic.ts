import { useLocation } from '@tanstack/react-router';
import { helpTopicOf, type HelpTopic } from './help-topics.ts';

/** The topic of the page and the tab that are shown. */
export function useHelpTopic(): HelpTopic | undefined {
  const { pathname, search } = useLocation();
  const { tab } = search as { readonly tab?: unknown };
  return helpTopicOf(pathname, typeof tab === 'string' ? tab : undefined);
}
