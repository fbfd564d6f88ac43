// What `BLOB_URL` may say, and the message when it is wrong.
import { expect, test } from 'vitest';
import { parseBlobUrl } from './open-blob-store.ts';

test.each([
  ['file:./data/blobs', './data/blobs'],
  ['file:/var/lib/coffer', '/var/lib/coffer'],
  ['file:///var/lib/with%20space', '/var/lib/with space'],
  ['file:data with space', 'data with space'],
])('%s is a folder', (text, root) => {
  expect(parseBlobUrl(text)).toEqual({ kind: 'disk', root });
});

test('an S3 address names bucket, prefix, region and endpoint', () => {
  expect(parseBlobUrl('s3://my-bucket/some/prefix/?region=eu-central-1&endpoint=http://127.0.0.1:9000')).toEqual({
    kind: 's3',
    bucket: 'my-bucket',
    prefix: 'some/prefix',
    region: 'eu-central-1',
    endpoint: 'http://127.0.0.1:9000',
  });
  expect(parseBlobUrl('s3://my.bucket?region=us-east-1')).toEqual({
    kind: 's3',
    bucket: 'my.bucket',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
  });
});

test.each([
  ['', 'must start with'],
  ['/var/lib', 'must start with'],
  ['https://bucket', 'must start with'],
  ['file:', 'path after file:'],
  ['file://elsewhere/%', 'not a valid file address'],
  ['s3://bucket/prefix', 'region is missing'],
  ['s3:///prefix?region=x', 'bucket name'],
  ['s3://UPPER_case?region=x', 'bucket name'],
  ['s3://key:hunter2@bucket?region=x', 'must not hold credentials'],
  ['s3://bucket?region=x&secret=hunter2', 'takes only'],
  ['s3://bucket?region=x&endpoint=ftp://hunter2', 'endpoint must be'],
  ['s3://bucket?region=x&endpoint=http://u:hunter2@host', 'endpoint must be'],
])('%s is refused without repeating it', (text, message) => {
  expect(() => parseBlobUrl(text)).toThrow(message);
  expect(() => parseBlobUrl(text)).not.toThrow('hunter2');
});
