// AWS Signature Version 4, which s3rver does not check: the one that a request must have with this secret key, and the one that it has.
const { createHash, createHmac } = require('crypto');

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const special = (found) => '%' + found.charCodeAt(0).toString(16).toUpperCase();
const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, special);

const signatures = ({ method, url, headers }, secret) => {
  const [path, query = ''] = url.split('?');
  const pairs = query.split('&').filter(Boolean).map((pair) => pair.split('=').concat('').slice(0, 2).map(decodeURIComponent));
  const ofQuery = (name) => (pairs.find(([found]) => found === `X-Amz-${name}`) || [])[1];
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)$/.exec(headers.authorization || '');
  const inQuery = ['Credential', 'SignedHeaders', 'Signature', 'Date'].map(ofQuery);
  const [credential, names, sent, at] = header ? [...header.slice(1), headers['x-amz-date']] : inQuery;
  if (!sent) return {};
  const canonical = [
    method,
    path.split('/').map((part) => encode(decodeURIComponent(part))).join('/'),
    pairs.filter(([name]) => name !== 'X-Amz-Signature').map((pair) => pair.map(encode).join('=')).sort().join('&'),
    ...names.split(';').map((name) => `${name}:${(headers[name] || '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    header ? headers['x-amz-content-sha256'] : 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = credential.split('/').slice(1);
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), digest].join('\n');
  return { sent, expected: hmac(scope.reduce(hmac, `AWS4${secret}`), text).toString('hex') };
};

const check = (secret) => (ctx, next) => {
  const { sent, expected } = signatures(ctx.req, secret);
  if (sent === expected) return next();
  ctx.status = 403;
  ctx.type = 'application/xml';
  ctx.body = '<Error><Code>SignatureDoesNotMatch</Code><Message>The signature is another one</Message></Error>';
};
