// What readers of JUnit's XML agree on, as an XML Schema, and the check of it by libxml2.
import { validateXML } from 'xmllint-wasm'

const attribute = (name: string, type: string): string => `<xs:attribute name="${name}" type="${type}" use="required"/>`
const told = (attributes: string): string =>
  `<xs:complexType><xs:simpleContent><xs:extension base="xs:string">${attributes}</xs:extension></xs:simpleContent></xs:complexType>`

const testcase = `<xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
  <xs:choice minOccurs="0">
    <xs:element name="skipped">${told('<xs:attribute name="message" type="xs:string"/>')}</xs:element>
    <xs:element name="failure">${told(attribute('message', 'xs:string') + attribute('type', 'xs:string'))}</xs:element>
  </xs:choice>
  ${attribute('name', 'named') + attribute('classname', 'named') + attribute('time', 'xs:decimal')}
</xs:complexType></xs:element>`

const testsuite = `<xs:element name="testsuite" maxOccurs="unbounded"><xs:complexType>
  <xs:sequence>
    <xs:element name="properties"><xs:complexType/></xs:element>
    ${testcase}
    <xs:element name="system-out" type="xs:string"/>
    <xs:element name="system-err" type="xs:string"/>
  </xs:sequence>
  ${['name', 'package', 'hostname'].map((name) => attribute(name, 'named')).join('')}
  ${['id', 'tests', 'failures', 'errors', 'skipped'].map((name) => attribute(name, 'xs:unsignedInt')).join('')}
  ${attribute('timestamp', 'instant') + attribute('time', 'xs:decimal')}
</xs:complexType></xs:element>`

// No zone behind the time, and no name that is empty or begins, ends or is spread with white space.
const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:simpleType name="instant"><xs:restriction base="xs:dateTime"><xs:pattern value="\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"/></xs:restriction></xs:simpleType>
<xs:simpleType name="named"><xs:restriction base="xs:token"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
<xs:element name="testsuites"><xs:complexType><xs:sequence>${testsuite}</xs:sequence></xs:complexType></xs:element>
</xs:schema>`

/** What libxml2 finds wrong with a report; empty where it is well-formed and as readers take it. */
export async function junitProblems(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema: { fileName: 'junit.xsd', contents: schema } })
  return errors.map((one) => one.rawMessage)
}
