import { KeyValues } from "@/components/ui/key-values";
import { AskedAt } from "@/components/verification/asked-at";
import { COMPANY_WORDS } from "@/components/verification/company-words";
import { countryName } from "@/components/verification/country-names";
import type { CompanyData, CompanyField, FieldMessages } from "@/lib/contracts/verification";

interface CompanyFactsProps {
  company: Partial<CompanyData>;
  /** What was handed in the time before: what differs is marked. */
  before?: Partial<CompanyData>;
  /** What staff said about single fields. */
  messages?: FieldMessages;
}

/** Company data as it was handed in; every word of it is the company's own. */
export function CompanyFacts({ company, before, messages = {} }: CompanyFactsProps) {
  const fields = Object.keys(COMPANY_WORDS) as CompanyField[];
  return (
    <KeyValues
      items={fields.map((field) => ({
        name: COMPANY_WORDS[field],
        value:
          company[field] || messages[field] || before?.[field] ? (
            <>
              <bdi className="whitespace-pre-wrap">{shown(field, company[field])}</bdi>
              {before && before[field] !== company[field] ? (
                <span className="block text-muted">
                  Before: <bdi className="whitespace-pre-wrap">{shown(field, before[field])}</bdi>
                </span>
              ) : null}
              {messages[field] ? <AskedAt text={messages[field]} /> : null}
            </>
          ) : null,
      }))}
    />
  );
}

function shown(field: CompanyField, text: string | undefined): string {
  return text ? companyText(field, text) : "nothing";
}

/** What was handed in at a field, as people read it. */
export function companyText(field: CompanyField, text: string): string {
  return field === "country" ? `${countryName(text)} (${text})` : text;
}
