import type { CompanyField } from "@/lib/contracts/verification";

/** What the company's data is called, wherever its own people or staff read it. */
export const COMPANY_WORDS: Record<CompanyField, string> = {
  legalName: "Legal name",
  registrationNumber: "Registration number",
  vatId: "VAT ID",
  street: "Street and number",
  postalCode: "Postal code",
  city: "City",
  country: "Country",
  website: "Website",
  contactName: "Contact person",
  contactEmail: "Contact e-mail",
  contactPhone: "Contact phone",
  useCase: "What the service is used for",
};
