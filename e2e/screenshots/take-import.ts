import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

const rows = [
  'serialNumber,name,model,country,labels',
  'IMP-DE-0101,Pump 101,Edge 5,DE,site=Hamburg;line=1',
  'IMP-DE-0102,Pump 102,Edge 5,DE,site=Hamburg;line=2',
  'IMP-DE-0103,Pump 103,Edge 5,Germany,site=Hamburg;line=3',
  'IMP-DE-0102,Pump 104,Edge 5,DE,site=Hamburg;line=4',
  'IMP-DE-0105,=HYPERLINK("http://example.com"),Edge 5,DE,',
].join('\n');

/** The preview of a file of devices with refused rows. */
export async function takeImport(screens: Screens): Promise<void> {
  await keepScreenshots(screens, 'import', async (page) => {
    await page.goto('/imports');
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'pumps.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await page.getByRole('button', { name: /^(?:Check file|检查文件)$/ }).click();
    await page.getByText('IMP-DE-0101').first().waitFor();
  });
}
