import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type {
  ReportBlock,
  ReportCell,
  ReportListItem,
  ReportReference,
  ReportTable,
} from '@deviceportal/contract/report-blocks';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { referenceHref } from './report-href.ts';
import { ReportMapView } from './report-map-view.tsx';
import { ReportStripsView } from './report-strips-view.tsx';
import { ReportText } from './report-text.tsx';

interface BlockProps<Block> {
  readonly block: Block;
  readonly withLinks: boolean;
  /** A label prefix, if another report is on the page. */
  readonly within?: string | undefined;
}

export function ReportBlockView({ block, withLinks, within }: BlockProps<ReportBlock>): ReactNode {
  switch (block.kind) {
    case 'text':
      return (
        <Box color="text-body-secondary">
          <ReportText text={block.text} />
        </Box>
      );
    case 'facts':
      return (
        <KeyValue
          columns={4}
          items={block.facts.map(({ label, value }) => ({
            label,
            value: <ReportText text={value} />,
          }))}
        />
      );
    case 'list':
      return <ListView items={block.items} withLinks={withLinks} />;
    case 'table':
      return <TableView block={block} withLinks={withLinks} within={within} />;
    case 'output':
      return (
        <figure className="dp-report-output">
          <figcaption>{block.title}</figcaption>
          <pre>
            <ReportText text={block.text} />
          </pre>
        </figure>
      );
    case 'strips':
      return <ReportStripsView block={block} />;
    case 'map':
      return <ReportMapView block={block} />;
  }
}

function ListView({
  items,
  withLinks,
}: {
  readonly items: readonly ReportListItem[];
  readonly withLinks: boolean;
}): ReactNode {
  return (
    <ul className="dp-report-list">
      {items.map((item) => (
        <li key={item.text}>
          {item.tone === 'neutral' ? null : (
            <StatusIndicator type={item.tone}>{item.toneWord}</StatusIndicator>
          )}
          <span>
            <Referring reference={item.reference} withLinks={withLinks}>
              {item.text}
            </Referring>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A static table of up to three hundred rows. */
function TableView({ block, withLinks, within }: BlockProps<ReportTable>): ReactNode {
  const label = within === undefined ? block.label : `${within}: ${block.label}`;
  return (
    // Focusable, so that a wide table can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="dp-report-table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {block.headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={block.headers[column]}>
                  <CellView cell={cell} withLinks={withLinks} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CellView({
  cell,
  withLinks,
}: {
  readonly cell: ReportCell;
  readonly withLinks: boolean;
}): ReactNode {
  return (
    <Referring reference={cell.reference} withLinks={withLinks}>
      {cell.text}
    </Referring>
  );
}

function Referring(props: {
  readonly reference: ReportReference | undefined;
  readonly withLinks: boolean;
  readonly children: string;
}): ReactNode {
  const { reference, withLinks, children } = props;
  if (reference === undefined || !withLinks) return <ReportText text={children} />;
  return <PortalLink href={referenceHref(reference)}>{children}</PortalLink>;
}
