/** What the account's own rows were: those that sign-in holds. */
export const erasureAccountsSql = `
ALTER TABLE delivery.erasures ADD account_rows jsonb NOT NULL DEFAULT '{}';
`;
