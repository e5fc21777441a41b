let productName = 'Device Portal';

export function setProductName(name: string): void {
  productName = name;
}

/** The document's title: the page's own words first, then the product. */
export function setPageTitle(title: string): void {
  document.title = title === '' ? productName : `${title} · ${productName}`;
}
