import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import { ReportBlockView } from './report-block-view.tsx';

/** The sections of a report, in the language of the report. */
export function ReportBody({
  layout,
  withLinks,
  within,
}: {
  readonly layout: ReportLayout;
  /** Adds links to the sources. Off in previews for recipients. */
  readonly withLinks: boolean;
  /** The name of the report, if another one is on the page. */
  readonly within?: string;
}): ReactNode {
  return (
    <div lang={layout.language}>
      <SpaceBetween size="l">
        {layout.sections.map(({ id, title, blocks }) => (
          <Container key={id} header={<Header variant="h2">{title}</Header>}>
            <SpaceBetween size="m">
              {blocks.map((block, index) => (
                // Blocks of a finished report never change their positions.
                // oxlint-disable-next-line react/no-array-index-key
                <ReportBlockView key={index} block={block} withLinks={withLinks} within={within} />
              ))}
            </SpaceBetween>
          </Container>
        ))}
      </SpaceBetween>
    </div>
  );
}
