import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, type ReactNode } from 'react';
import { setPageTitle } from './page-title.ts';

export interface PageHeaderProps {
  readonly title: string;
  /** The document title, if it differs from the heading ("SN10000037 · Devices"). */
  readonly documentTitle?: string;
  /** Space is reserved from the first paint, so that nothing moves. */
  readonly description?: ReactNode;
  readonly counter?: string | undefined;
  readonly info?: ReactNode;
  readonly actions?: ReactNode;
  readonly variant?: 'h1' | 'awsui-h1-sticky';
}

/** The heading of a page (its only h1), the document title, and the description. */
export function PageHeader(props: PageHeaderProps): ReactNode {
  const {
    title,
    documentTitle = title,
    description,
    counter,
    info,
    actions,
    variant = 'h1',
  } = props;
  useEffect(() => setPageTitle(documentTitle), [documentTitle]);
  return (
    <Header
      variant={variant}
      description={<span className="dp-reserved-line">{description}</span>}
      {...(counter === undefined ? {} : { counter })}
      {...(info === undefined ? {} : { info })}
      {...(actions === undefined
        ? {}
        : {
            actions: (
              <SpaceBetween direction="horizontal" size="xs">
                {actions}
              </SpaceBetween>
            ),
          })}
    >
      {title}
    </Header>
  );
}
