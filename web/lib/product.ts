// The product's name and support address, as the server wrote them into the page.

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

export const productName = meta('product-name') || 'Coffer';

/** Empty where the firm has named no support address. */
export const supportEmail = meta('support-email');
