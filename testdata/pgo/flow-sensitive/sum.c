int main(int n, char **v)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i][0];
	return sum;
}
