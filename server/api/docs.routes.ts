// The API's own description over HTTP.

import type { Config } from '../config.ts';
import { apiPage } from './api-page.ts';
import { openApiDocument } from './openapi.ts';
import type { Handlers } from './route.ts';

export function docsRoutes({ config }: { readonly config: Config }): Handlers<'docs'> {
  // To describe the API holds the event loop for some 50 ms, and nothing in it changes while the server runs.
  let described: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  return {
    'docs.openapi': async () => {
      described ??= openApiDocument(config.productName, config.publicOrigin);
      return described;
    },
    'docs.page': async () => {
      page ??= apiPage(config.productName);
      return page;
    },
  };
}
