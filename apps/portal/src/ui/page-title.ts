let productName = 'Device Portal';

export function setProductName(name: string): void {
  productName = name;
}

/** Sets the document title: the page first, then the product. */
export function setPageTitle(title: string): void {
  document.title = title === '' ? productName : `${title} · ${productName}`;
}
