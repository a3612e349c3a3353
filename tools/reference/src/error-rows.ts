import ts from 'typescript';

/** One factory of the catalogue, as a reader of the page sees it. */
export interface ErrorRow {
  readonly code: string;
  readonly kind: string;
  /** The factory's name in `errors`. */
  readonly factory: string;
  /** What varies stands in angle brackets. */
  readonly message: string;
  readonly hint: string | null;
  readonly retryable: boolean | 'sometimes';
}

/** Reads the catalogue's source, so that a template is seen with its gaps and not filled with made-up values. */
export function errorRows(source: string): readonly ErrorRow[] {
  const tree = ts.createSourceFile('catalogue.ts', source, ts.ScriptTarget.ESNext, true);
  const catalogue = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.filter(({ name }) => name.getText() === 'errors'));
  const object = find(catalogue[0], ts.isObjectLiteralExpression);
  if (object === undefined) throw new Error('The catalogue has no object `errors`.');
  return object.properties.filter(ts.isPropertyAssignment).map(rowOf);
}

function rowOf(property: ts.PropertyAssignment): ErrorRow {
  const factory = property.name.getText();
  const made = find(property.initializer, ts.isNewExpression)?.arguments?.[0];
  if (made === undefined || !ts.isObjectLiteralExpression(made)) throw new Error(`errors.${factory} makes no error that can be read here.`);
  const { code, kind, message, hint, retryable } = fieldsOf(made);
  if (code === undefined || kind === undefined || message === undefined) throw new Error(`errors.${factory} lacks code, kind or message.`);
  const retried = retryable === undefined ? false : retryable.kind === ts.SyntaxKind.TrueKeyword ? true : 'sometimes';
  return {
    factory,
    code: wordsOf(code),
    kind: wordsOf(kind),
    message: wordsOf(message),
    hint: hint === undefined ? null : wordsOf(hint),
    retryable: retried,
  };
}

/** Also the fields of a spread condition: `...(near === null ? {} : { hint })`. */
function fieldsOf(made: ts.ObjectLiteralExpression): Readonly<Record<string, ts.Expression>> {
  const fields: Record<string, ts.Expression> = {};
  for (const property of made.properties) {
    if (ts.isPropertyAssignment(property)) fields[property.name.getText()] = property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) fields[property.name.text] = property.name;
    if (ts.isSpreadAssignment(property)) for (const inner of literalsIn(property.expression)) Object.assign(fields, fieldsOf(inner));
  }
  return fields;
}

function literalsIn(node: ts.Node): readonly ts.ObjectLiteralExpression[] {
  if (ts.isObjectLiteralExpression(node)) return [node];
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  return ts.isConditionalExpression(node) ? [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)] : [];
}

/** A text as it reads, with `<name>` for what is filled in. */
export function wordsOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ expression, literal }) => wordsOf(expression) + literal.text).join('');
  if (ts.isIdentifier(node)) return `<${node.text}>`;
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'length' ? `<count of ${node.expression.getText()}>` : `<${node.name.text}>`;
  if (ts.isConditionalExpression(node)) return optional(node);
  if (ts.isCallExpression(node)) return filled(node);
  return '<…>';
}

/** Of a condition, the longer side: the shorter one leaves something out. */
function optional({ whenTrue, whenFalse }: ts.ConditionalExpression): string {
  const [yes, no] = [wordsOf(whenTrue), wordsOf(whenFalse)];
  const [long, short] = yes.length >= no.length ? [yes, no] : [no, yes];
  return short === '' ? `[${long}]` : `${yes} / ${no}`;
}

/** `String(tokens)` and `messageOf(cause)` show their argument, `names.join(', ')` what it joins, `place(at)` a place. */
function filled(call: ts.CallExpression): string {
  const [first] = call.arguments;
  const callee = call.expression;
  if (ts.isIdentifier(callee))
    return first !== undefined && ['String', 'messageOf'].includes(callee.text) ? wordsOf(first) : `<${callee.text}>`;
  return ts.isPropertyAccessExpression(callee) ? `<${rootOf(callee)}>` : '<…>';
}

function rootOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  if (ts.isCallExpression(node))
    return ts.isPropertyAccessExpression(node.expression) && node.expression.expression.getText() === 'Object'
      ? rootOf(node.arguments[0] ?? node.expression)
      : rootOf(node.expression);
  return node.getText();
}

function find<T extends ts.Node>(root: ts.Node | undefined, is: (node: ts.Node) => node is T): T | undefined {
  if (root === undefined || is(root)) return root;
  return ts.forEachChild(root, (child) => find(child, is));
}
