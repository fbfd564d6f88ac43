// The API's own description over HTTP.
import { apiPage, openApiDocument } from '../../http/openapi.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';

export function docsRoutes({ config }: Services): Handlers<'docs'> {
  return {
    'docs.openapi': async () => openApiDocument(config.productName, config.publicOrigin),
    'docs.page': async () => apiPage(config.productName),
  };
}
